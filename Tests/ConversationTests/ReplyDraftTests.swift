import Testing

@testable import Conversation

/// What a reply makes of a model's text while it arrives.
@Suite struct ReplyDraftTests {
    @Test(arguments: [1, 7, 4_000])
    func `a sentence that does not end is given up, and what came before it is said`(size: Int) {
        var draft = ReplyDraft(cap: ReplyCap(words: 20)) { _ in .pass }
        #expect(draft.append("Hello Rose. ") == .wantsMore)
        var progress = ReplyDraft.Progress.wantsMore
        var sent = 0
        while progress == .wantsMore, sent < 4_000 {
            progress = draft.append(String(repeating: "a", count: size))
            sent += size
        }
        #expect(progress == .complete)
        #expect(sent <= 400 + size, "what is read again for each piece stays short")
        #expect(draft.text == "Hello Rose.")
        #expect(draft.rules == ["form.endless"])
    }

    @Test func `a reply of nothing but an endless word is none`() {
        var draft = ReplyDraft(cap: ReplyCap(words: 20)) { _ in .pass }
        #expect(draft.append(String(repeating: "a", count: 401)) == .complete)
        #expect(draft.text == nil)
    }

    @Test func `twenty long words are no endless sentence`() {
        var draft = ReplyDraft(cap: ReplyCap(words: 20)) { _ in .pass }
        let sentence = Array(repeating: "unquestionably", count: 20).joined(separator: " ") + "."
        #expect(draft.append(sentence + " ") == .complete)
        #expect(draft.text == sentence)
    }
}
