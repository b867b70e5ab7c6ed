import Conversation
import Foundation
import Testing

@testable import Prompts

@Suite struct `The companion's prompt` {
    @Test func `prints`() throws {
        print(try ShippedPrompts.library().compose(ShippedPrompts.input()).transcript)
        print(try ShippedPrompts.library().compose(ShippedPrompts.input(memory: ShippedPrompts.memory(ShippedPrompts.patient(language: "es-MX")), wordCap: 10)).transcript)
        print(try ShippedPrompts.library().composeExtraction(said: "My cat is \"Biscuit\"", answered: "Nice", of: ShippedPrompts.patient()).transcript)
    }
}
