import Foundation

/// `hearth screen train`: runs a checkout's training, `scripts/train`, in place of this process.
///
/// It writes `detector/` in the folder of the prompts, which belongs to the bundle. The detectors therefore reach the
/// service as prompts do: by a candidate, a trial and a promotion. A faulty file is refused with its line before
/// anything is written.
struct DetectorTraining {
    private let script: String
    private let arguments: [String]

    /// Prepares a training.
    ///
    /// - Parameters:
    ///   - own: A file with an operator's own sentences, in the format of the corpus; nil for the corpus alone.
    ///   - prompts: The folder of the prompts, inside the checkout.
    /// - Throws: The missing part.
    init(own: String?, prompts: String) throws(CommandFailure) {
        let folder = URL(filePath: prompts).standardizedFileURL
        script = folder.deletingLastPathComponent().appending(path: "scripts/train").path
        guard FileManager.default.isExecutableFile(atPath: script) else {
            throw CommandFailure(
                "There is no \(script). Detectors are trained in a checkout, which has corpus/.",
                .missing
            )
        }
        var arguments = ["--to", folder.appending(path: "detector").path]
        if let own {
            let path = URL(filePath: own).standardizedFileURL.path
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CommandFailure("\(own) cannot be read.", .missing)
            }
            arguments += ["--with", path]
        }
        self.arguments = arguments
    }

    /// Replaces this process with the training, which determines its exit code and output.
    ///
    /// - Throws: The reason why the script cannot be run; otherwise this does not return.
    func run() throws(CommandFailure) -> Never {
        var words = ([script] + arguments).map { strdup($0) }
        words.append(nil)
        execv(script, &words)
        let reason = String(cString: strerror(errno))
        words.forEach { free($0) }
        throw CommandFailure("\(script) cannot be run: \(reason).")
    }
}
