public import Testing

/// An authority of its own, and what it has signed for a server on loopback and for a client.
public struct Certificates {
    public static let arePossible = InstalledProgram.path("openssl") != nil
    public static let missing: Comment = "the program 'openssl' is not installed"

    private let directory: String

    /// - Parameter directory: Where the files are written.
    public init(in directory: String) throws {
        self.directory = directory
        let script = """
            cd "$0" && new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -keyout $1.key -subj /CN=$1 "${@:2}"; }
            new ca -x509 -out ca.pem && new other -x509 -out other.pem && echo subjectAltName=IP:127.0.0.1,DNS:localhost > names &&
                for name in server client; do
                    new $name -out $name.csr &&
                        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 -out $name.pem -extfile names || exit 1
                done
            """
        let result = try runTool("/bin/bash", ["-c", script, directory])
        try #require(result.status == 0, "\(result)")
    }

    /// `ca.pem`, `other.pem`; `server.pem` and `client.pem` with their keys, signed by the former.
    public func path(_ name: String) -> String { "\(directory)/\(name)" }
}
