import Foundation

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "drain" where words.count == 4:
    await DrillDrainer.run(database: words[1], providers: words[2], account: words[3])
case nil: await AlertDrill(alerts: 10_000).run(program: CommandLine.arguments[0])
case let count?:
    guard let alerts = Int(count), alerts > 0 else { fatalError("alert-drill [ALERTS]") }
    await AlertDrill(alerts: alerts).run(program: CommandLine.arguments[0])
}
