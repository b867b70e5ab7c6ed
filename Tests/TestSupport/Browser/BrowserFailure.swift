/// Why a browser did not do what a test asked.
package enum BrowserFailure: Error {
    /// The driver could not be started; what it said.
    case driver(String)
    /// The driver refused a command; its answer.
    case refused(command: String, answer: String)
    /// What was waited for did not come; what the page showed.
    case absent(String, page: String)
}
