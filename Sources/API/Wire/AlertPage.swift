import Conversation
import Foundation
import HTTPServing
import Runtime

/// The acknowledgement page of an alert's link, in plain HTML that any telephone shows.
enum AlertPage {
    static func outcome(_ answer: LinkAnswer) -> Outcome {
        switch answer {
        case .refused: page(403, "This link opens nothing.", "It may have been cut off. Please open the whole link.")
        case .expired: page(410, "This link has expired.", "Please call, or open the link of a newer message.")
        case .open(let summary): page(200, summary, "", form: form)
        case .taken: page(200, "Thank you.", "It is noted. The others will be told no more of this alert.")
        case .already(let since):
            page(200, "Somebody is taking care of it already.", "Since \(since.formatted(.iso8601)).")
        }
    }

    private static let form = """
        <form method="post"><p><label>A note for the next person (optional)<br>
        <textarea name="note" rows="3" maxlength="1000"></textarea></label></p>
        <p><button name="event" value="acknowledged">I am taking care of it</button></p>
        <p><button name="event" value="resolved">It is over, all is well</button></p></form>
        """

    private static func page(_ status: Int, _ title: String, _ text: String, form: String = "") -> Outcome {
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width"><title>Hearth</title>
            <style>body{font:1.3em sans-serif;margin:2em}button{font:inherit;padding:.7em}textarea{width:100%}</style>
            </head><body><h1>\(escaped(title))</h1><p>\(escaped(text))</p>\(form)</body></html>
            """
        let headers = HeaderFields([
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            "Content-Security-Policy":
                "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
        ])
        return Outcome(HTTPResponse(status: status, headers: headers, body: .bytes(Array(html.utf8))))
    }

    private static func escaped(_ text: String) -> String {
        text.withoutBidiControls.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
