import Foundation

let folder = CommandLine.arguments.dropFirst().first ?? "prompts"
do {
    print(try ScreenSpeed(folder: folder).report)
} catch {
    FileHandle.standardError.write(Data("The screens cannot be measured: \(error)\n".utf8))
    exit(1)
}
