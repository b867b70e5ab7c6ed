import Runtime

/// Example values of the document.
///
/// The patient is the demonstration's, so that the examples work against `hearth up`. The other identities are
/// fictitious.
enum Examples {
    static let patient: JSONValue = "00000000-0000-4000-8000-000000000002"
    static let conversation: JSONValue = "0b9c1c3e-2f4a-4f0b-8a7d-5e6f7a8b9c0d"
    static let message: JSONValue = "5f1e2d3c-4b5a-4697-8f8e-9dacbdcedfe0"
    static let reminder: JSONValue = "c3d4e5f6-0718-4293-a4b5-c6d7e8f90a1b"
    static let alert: JSONValue = "d4e5f607-1829-43a4-b5c6-d7e8f90a1b2c"
    static let contact: JSONValue = "e5f60718-293a-44b5-86d7-e8f90a1b2c3d"
    static let promptVersion: JSONValue = "companion-1"

    static let reply: JSONValue = [
        "response": "I'm sorry you feel dizzy. Please sit down. Have you had some water today?",
        "speak": true,
        "keep_listening": true,
        "conversation_id": conversation,
        "alert_sent": true,
        "message_id": message,
        "source": "model",
        "degraded": [],
        "flags": ["other_medical"],
        "prompt_version": promptVersion,
    ]
}
