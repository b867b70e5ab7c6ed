package import YAML

/// A fault in a prompt's source.
package enum PromptFault: Equatable, Sendable {
    // The file.
    case notUTF8
    case tooLong(bytes: Int, limit: Int)
    case badFileName(String)
    case missingFrontMatter
    case unclosedFrontMatter
    case frontMatterInPartial
    case frontMatter(YAMLError)
    case unknownSetting(String)
    case badSetting(String, expected: String)
    case badType(String)
    case badVariableName(String)
    case badDefault(String, expected: String)

    // Tags.
    case unclosedTag
    case emptyTag
    case unclosedText
    case unknownWord(String)
    case operandAfterNamed
    case unsupported(String)
    case unknownHelper(String)
    case badOperands(String, expected: String)
    case badPartialName(String)
    case unknownRole(String)

    // Blocks.
    case unopenedBlock(String)
    case unclosedBlock(String)
    case wrongClose(String, expected: String)
    case strayElse
    case tooDeep(limit: Int)

    // Faults that need the partials and variables.
    case missingPartial(String)
    case partialCycle([String])
    case roleInSection(String)
    case repeatedHistory
    case unknownVariable(String)
    case notAList(String)
    case notText(String)
    case outsideLoop(String)
    case outsideScope(String)
    case tooManyNodes(limit: Int)

    // Violations of the service's contract.
    case unsuppliedVariable(String)
    case otherType(String, expected: String)
    case badShape(String)
}
