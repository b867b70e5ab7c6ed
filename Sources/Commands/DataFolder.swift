import Foundation

/// The folder of the service's local data.
enum DataFolder {
    /// Fails if the folder does not exist and no setting names it.
    ///
    /// Commands that use existing data call it, so that they never create a database in the current folder by accident.
    static func checkNamed(_ settings: Settings) throws(CommandFailure) {
        let folder = settings.folder(.dataFolder)
        guard settings[.dataFolder].origin == .standard, !FileManager.default.fileExists(atPath: folder) else { return }
        throw CommandFailure(
            "There is no database in \(folder). Start one with hearth up, or name a folder for one with --data-folder.",
            .missing
        )
    }

    /// Creates the folder if it does not exist.
    static func make(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("The data folder \(path) cannot be made; set data-folder to one that can.", .missing)
        }
    }
}
