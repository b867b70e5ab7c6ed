import Commands
import Foundation

exit(await HearthCommandLine.run(Array(CommandLine.arguments.dropFirst())).rawValue)
