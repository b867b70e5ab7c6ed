// A model that costs nothing to ask, for measuring what the service adds: it waits, then says one fixed sentence, or
// each time another.
//
//   model-stub --port 9000 --delay-ms 300 --pieces 8 --pause-ms 0 --stall-percent 10 --stall-least-ms 1000 --stall-most-ms 6000
//       --fail-percent 0 --cut-percent 0 --varied

try await StubProcess(Array(CommandLine.arguments.dropFirst())).serve()
