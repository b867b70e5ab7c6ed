import Conversation
import Dispatch
import Foundation
import Synchronization
import YAML

/// Every pack of rules in force, and the way to replace them while turns are being screened.
///
/// A folder holds `*.yaml` files: packs of rules, and for each language one file `cues-<language>.yaml` with the wordings
/// that the clause analyser reads and the lists that the packs of that language share. A pack is checked against its own
/// examples before it is put in force; one that fails leaves the last good pack of the same file where it was.
package final class RuleBook: Sendable {
    /// What happened to one file.
    package struct Refusal: Sendable, Equatable {
        /// The file's name.
        package let file: String
        /// Why it was refused.
        package let reason: RulePackError
        /// Whether an earlier form of it is still in force.
        package let keepsEarlier: Bool
    }

    /// What is in force at one moment.
    struct Edition: Sendable {
        var cues: [String: LanguageCues] = [:]
        var packs: [String: LoadedPack] = [:]
        var refusals: [Refusal] = []

        /// The languages' cues in order of their names.
        private(set) var languages: [(language: String, cues: LanguageCues)] = []
        /// The packs for what patients say, in order of their names.
        private(set) var inputPacks: [LoadedPack] = []
        /// The packs for a model's words in order of their names, so that of two rules that hold the same one decides.
        private(set) var outputPacks: [LoadedPack] = []

        /// The edition with its packs and languages in order.
        var arranged: Edition {
            var edition = self
            let packs = packs.values.sorted { $0.pack.name < $1.pack.name }
            edition.inputPacks = packs.filter { $0.pack.use == .input }
            edition.outputPacks = packs.filter { $0.pack.use == .output }
            edition.languages = cues.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return edition
        }
    }

    /// A language's cues and shared lists.
    struct LanguageCues: Sendable {
        let source: String
        let book: CueBook
        let lists: PhrasePattern.Lists
    }

    /// A pack with the text that it was read from: an object, since each text that is screened goes through all of them, and
    /// a pack has many parts to copy.
    final class LoadedPack: Sendable {
        let source: String
        let cueSource: String
        let pack: RulePack

        init(source: String, cueSource: String, pack: RulePack) {
            self.source = source
            self.cueSource = cueSource
            self.pack = pack
        }
    }

    private let folder: String
    private let current: Mutex<Edition>

    /// Loads every pack of a folder, side by side; about 0.5 s of a processor for the packs that come with the service.
    ///
    /// A pack that is refused is missing, and named in ``refusals``; with no pack at all there is nothing to screen with.
    ///
    /// - Parameter earlier: A book whose packs are taken over as they are where their text has not changed.
    /// - Throws: ``RulePackError/noPacks(folder:)``, or what is wrong with a language's cues.
    package init(folder: String, after earlier: RuleBook? = nil) throws(RulePackError) {
        self.folder = folder
        current = Mutex(try Self.edition(of: folder, after: earlier?.edition ?? Edition()))
    }

    /// The packs that are in force, in order of their names.
    package var packs: [RulePack] {
        edition.packs.values.map(\.pack).sorted { ($0.name, $0.language) < ($1.name, $1.language) }
    }

    /// The files that were refused when the folder was last read.
    package var refusals: [Refusal] { edition.refusals }

    var edition: Edition { current.withLock { $0 } }

    /// Reads the folder again and puts what has changed in force; scans that run keep what they began with.
    ///
    /// Meant for a thread that may wait: compiling takes some milliseconds a pack.
    ///
    /// - Returns: The files that were refused.
    /// - Throws: When the folder cannot be read or a language's cues are wrong; everything stays as it was.
    @discardableResult
    package func reload() throws(RulePackError) -> [Refusal] {
        let next = try Self.edition(of: folder, after: edition)
        current.withLock { $0 = next }
        return next.refusals
    }

    private static func edition(of folder: String, after earlier: Edition) throws(RulePackError) -> Edition {
        let files = try yamlFiles(in: folder)
        var edition = Edition()
        for (name, text) in files where name.hasPrefix("cues-") {
            let language = String(name.dropFirst("cues-".count).dropLast(".yaml".count))
            if let known = earlier.cues[language], known.source == text {
                edition.cues[language] = known
            } else {
                edition.cues[language] = try CueReader.cues(text, file: "\(folder)/\(name)")
            }
        }
        let packs = files.filter { !$0.name.hasPrefix("cues-") }
        for (name, result) in zip(packs.map(\.name), loaded(packs, in: folder, after: earlier, edition.cues)) {
            switch result {
            case .success(let pack): edition.packs[name] = pack
            case .failure(let error):
                edition.packs[name] = earlier.packs[name]
                let refusal = Refusal(file: name, reason: error, keepsEarlier: earlier.packs[name] != nil)
                edition.refusals.append(refusal)
            }
        }
        guard !edition.packs.isEmpty else {
            throw edition.refusals.first?.reason ?? .noPacks(folder: folder)
        }
        return edition.arranged
    }

    private static func yamlFiles(in folder: String) throws(RulePackError) -> [(name: String, text: String)] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            return try names.sorted().map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        } catch {
            throw .unreadable(file: folder, reason: error.localizedDescription)
        }
    }

    /// Loads packs side by side, on as many threads as there are cores; in the order of the files.
    private static func loaded(
        _ files: [(name: String, text: String)],
        in folder: String,
        after earlier: Edition,
        _ cues: [String: LanguageCues]
    ) -> [Result<LoadedPack, RulePackError>] {
        let results = Mutex<[Int: Result<LoadedPack, RulePackError>]>([:])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let (name, text) = files[index]
            let result = Result { () throws(RulePackError) in
                try loaded(text, name, in: folder, earlier: earlier.packs[name], cues)
            }
            results.withLock { $0[index] = result }
        }
        return results.withLock { results in files.indices.compactMap { results[$0] } }
    }

    private static func loaded(
        _ text: String,
        _ name: String,
        in folder: String,
        earlier: LoadedPack?,
        _ cues: [String: LanguageCues]
    ) throws(RulePackError) -> LoadedPack {
        let root: YAMLNode
        let language: String
        do throws(YAMLError) {
            root = try YAML.parse(text, file: "\(folder)/\(name)")
            language = try root.mapping().string("language")
        } catch {
            throw .malformed(error)
        }
        guard let cues = cues[language] else {
            throw .unreadable(file: "\(folder)/cues-\(language).yaml", reason: "the pack \(name) needs it")
        }
        if let earlier, earlier.source == text, earlier.cueSource == cues.source { return earlier }
        if let known = ReadPacks.shared.pack(of: text, cueSource: cues.source) { return known }
        let pack = try RulePackReader.pack(root, lists: cues.lists)
        try ExampleCheck(pack, cues.book).run()
        let loaded = LoadedPack(source: text, cueSource: cues.source, pack: pack)
        ReadPacks.shared.keep(loaded)
        return loaded
    }
}
