import CairnToolKit

/// Decides who gets an answer.
package struct Doorkeeper: Sendable {
    /// 128 random bits, as hexadecimal digits: the first part of every path.
    package let token: String
    /// What `Host` may be: a browser that looks up another name was led here by a foreign page (DNS rebinding).
    package let hosts: Set<String>

    package init(token: String, hosts: Set<String>) {
        self.token = token
        self.hosts = hosts
    }

    static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return String(decoding: Hex.digits(bytes), as: UTF8.self)
    }

    /// The status to refuse a request with; `nil` if it may be answered.
    package func refusal(of request: HTTPRequest) -> HTTPResponse.Status? {
        guard let host = request.headers["host"], hosts.contains(host.lowercased()) else { return .forbidden }
        guard Self.areEqual(request.path.first ?? "", token) else { return .notFound }
        // Browsers say which page sent a request, wherever it might be used against the user.
        if let origin = request.headers["origin"], !hosts.contains(where: { origin.lowercased() == "http://" + $0 }) { return .forbidden }
        if let site = request.headers["sec-fetch-site"], site == "cross-site" || site == "same-site" { return .forbidden }
        guard request.method == .post else { return nil }
        // A page of another origin could send either of these only with permission, which it never gets.
        guard request.headers["origin"] != nil else { return .forbidden }
        return request.headers["content-type"] == "application/json" ? nil : .unsupportedType
    }

    /// Takes the same time wherever the texts differ.
    static func areEqual(_ text: String, _ other: String) -> Bool {
        let (text, other) = (Array(text.utf8), Array(other.utf8))
        var difference: UInt8 = text.count == other.count ? 0 : 1
        for place in other.indices { difference |= other[place] ^ (place < text.count ? text[place] : 0) }
        return difference == 0
    }
}
