import Conversation
import Foundation
import Recall
import Runtime
import Safety

/// `hearth screen train`: embeds the exemplars, trains the heads, says how well, and writes each beside its own.
///
/// One head hears messages, the other the sentences of replies. The same exemplars and the same engine give the same files.
/// Some eight minutes in a release build.
enum HeadTrainingRun {
    static func run(_ settings: Settings) async throws(CommandFailure) -> ExitCode {
        try await train(SafetyParts.exemplarFolder(settings), HeadSettings(), settings)
        let replies = SafetyParts.replyFolder(settings)
        if FileManager.default.fileExists(atPath: replies) { try await train(replies, .ofReplies, settings) }
        return .success
    }

    private static func train(
        _ folder: String,
        _ training: HeadSettings,
        _ settings: Settings
    ) async throws(CommandFailure) {
        let reader: ExemplarReader
        do throws(ExemplarError) {
            reader = try ExemplarReader(folder: folder)
        } catch {
            throw CommandFailure("The exemplars cannot be used: \(error)", .missing)
        }
        let vectors = try await vectors(of: reader.exemplars, settings)
        let (head, figures) = HeadTraining(reader.exemplars, vectors: vectors, settings: training).run()
        do {
            try HeadFile.write(
                head,
                figures,
                space: E5Space.name,
                modelDigest: E5Space.modelDigest,
                exemplarsDigest: reader.digest,
                to: folder
            )
        } catch {
            throw CommandFailure("The head cannot be written to \(folder): \(error.localizedDescription)")
        }
        Terminal.out(folder + "\n" + summary(figures, head.thresholds))
    }

    private static func vectors(
        of exemplars: [Exemplar],
        _ settings: Settings
    ) async throws(CommandFailure) -> [[Float]] {
        let engine = try await TextScreening.engine(settings)
        var vectors: [[Float]] = []
        for start in stride(from: 0, to: exemplars.count, by: TextScreening.window) {
            let some = exemplars[start..<min(exemplars.count, start + TextScreening.window)].map(\.text)
            for vector in await TextScreening.vectors(of: some, engine) {
                guard let vector else { throw CommandFailure("An exemplar could not be embedded.") }
                vectors.append(vector)
            }
        }
        return vectors
    }

    private static func summary(_ figures: HeadFigures, _ thresholds: HeadThresholds) -> String {
        func line(_ figure: HeadFigures.Figure) -> String {
            String(format: "recall %.3f, false alarms %.3f", figure.recall, figure.falseAlarms)
        }
        return """
            exemplars: \(figures.risk) of danger, \(figures.ordinary) ordinary, \(figures.groups) groups
            groups left out:    \(line(figures.groupsLeftOut))
            exemplars left out: \(line(figures.exemplarsLeftOut))
            thresholds: found \(thresholds.found), sure \(thresholds.sure)
            """
    }
}
