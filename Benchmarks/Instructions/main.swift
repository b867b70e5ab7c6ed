// Runs the hot functions under callgrind, which counts their instructions: see Benchmarks/instructions.
//
//   valgrind --tool=callgrind --instr-atstart=no instructions prompts
//
// Prints a line for each function: its name and how often it was called while instructions were counted.

import Foundation

guard InstructionCount.isPossible else {
    let text = "Run this under callgrind, built where valgrind is installed: Benchmarks/instructions does.\n"
    FileHandle.standardError.write(Data(text.utf8))
    exit(3)
}
try await HotFunctions(folder: CommandLine.arguments.dropFirst().first ?? "prompts").count()
