import Foundation

/// The folder of what the service keeps on this machine.
enum DataFolder {
    /// Refuses to go on when the folder is not there and nobody has named it.
    ///
    /// For commands that use what is there: they do not leave a database behind in whatever folder they are called in.
    static func checkNamed(_ settings: Settings) throws(CommandFailure) {
        let folder = settings.folder(.dataFolder)
        guard settings[.dataFolder].origin == .standard, !FileManager.default.fileExists(atPath: folder) else { return }
        throw CommandFailure(
            "There is no database in \(folder). Start one with hearth up, or name a folder for one with --data-folder.",
            .missing
        )
    }

    /// Makes the folder when it is not there.
    static func make(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("The data folder \(path) cannot be made; set data-folder to one that can.", .missing)
        }
    }
}
