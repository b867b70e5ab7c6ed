package import Conversation
package import Foundation

extension PatientMatrix {
    /// Returns the memories nearest to a vector, best first.
    ///
    /// Exposes the scan of a turn's recall so that it can be measured.
    package func nearest(to vector: [Float], limit: Int, at date: Date) -> [StoredMemory] {
        let snapshot = snapshot()
        return snapshot.nearest(to: vector, limit: limit, floor: -1, Recency(), at: date).map {
            snapshot.memory(at: $0.row)
        }
    }
}
