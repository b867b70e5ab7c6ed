/// Reason for which a browser did not do what a test asked.
package enum BrowserFailure: Error {
    /// The driver could not be started; what it said.
    case driver(String)
    /// The driver refused a command; its answer.
    case refused(command: String, answer: String)
    /// The awaited state did not come; the text that the page showed.
    case absent(String, page: String)
}
