import Alerts
import Domain

/// The digests that the service writes; in a file of its own, since the names of two modules meet elsewhere.
enum ShippedDigests {
    static let writer: any DigestWriting = WeeklyDigest()
}
