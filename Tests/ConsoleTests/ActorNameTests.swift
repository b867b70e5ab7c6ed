import Testing

@testable import Console

@Suite struct ActorNameTests {
    @Test(arguments: [
        ("operator Ana 9b2f0000-0000-4000-8000-000000000001", "Ana"),
        ("operator Ana Ruiz 9B2F0000-0000-4000-8000-000000000001", "Ana Ruiz"), ("Ana", "Ana"), ("spool", "spool"),
        ("operator Ana", "operator Ana"),
        ("operator 9b2f0000-0000-4000-8000-000000000001", "operator 9b2f0000-0000-4000-8000-000000000001"),
        ("key Ana 9b2f0000-0000-4000-8000-000000000001", "key Ana 9b2f0000-0000-4000-8000-000000000001"), ("", ""),
    ]) func `people are told who, not by which identity`(_ actor: String, _ name: String) {
        #expect(ActorName.text(of: actor) == name)
    }
}
