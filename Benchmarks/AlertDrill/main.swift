import Foundation

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
case ("drain", 4): await DrillDrainer.run(database: words[1], providers: words[2], account: words[3])
case ("providers", 2): try await DrillProviders.run(account: words[1])
case ("load", 3): try await AlertLoad(url: words[1], key: words[2]).run()
case (nil, _): await AlertDrill(alerts: 10_000).run(program: CommandLine.arguments[0])
case (let count?, 1):
    guard let alerts = Int(count), alerts > 0 else { fatalError("alert-drill [ALERTS]") }
    await AlertDrill(alerts: alerts).run(program: CommandLine.arguments[0])
default: fatalError("alert-drill [ALERTS] | providers ACCOUNT | load URL KEY")
}
