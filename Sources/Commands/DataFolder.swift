import Foundation

/// The folder of what the service keeps on this machine.
enum DataFolder {
    /// Makes the folder when it is not there.
    static func make(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("The data folder \(path) cannot be made; set data-folder to one that can.", .missing)
        }
    }
}
