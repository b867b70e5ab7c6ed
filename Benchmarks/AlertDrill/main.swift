import Foundation

let words = Array(CommandLine.arguments.dropFirst())
// A child starts in another folder.
let program = URL(fileURLWithPath: CommandLine.arguments[0]).path
switch (words.first, words.count) {
case ("drain", 4): await DrillDrainer.run(database: words[1], providers: words[2], account: words[3])
case ("providers", 2): try await DrillProviders.run(account: words[1])
case ("load", 3): try await AlertLoad(url: words[1], key: words[2]).run()
case ("reminders", 1...3): try await ReminderRush(words.dropFirst().compactMap { Int($0) }).run()
case (nil, _): await AlertDrill(alerts: 10_000).run(program: program)
case (let count?, 1):
    guard let alerts = Int(count), alerts > 0 else { fatalError("alert-drill [ALERTS]") }
    await AlertDrill(alerts: alerts).run(program: program)
default: fatalError("alert-drill [ALERTS] | reminders [PATIENTS] [SLOTS] | providers ACCOUNT | load URL KEY")
}
