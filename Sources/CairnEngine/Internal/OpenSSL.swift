#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The library that clients of servers use for passwords and TLS.
package enum OpenSSL {
    /// Keeps `exit` from cleaning up OpenSSL, which would crash threads that are using it at that moment. Does nothing if OpenSSL is not there, or if the
    /// program has used it before.
    package static let staysUntilTheEnd: Void = {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "OPENSSL_init_crypto") else { return }
        let initialize = unsafe unsafeBitCast(symbol, to: (@convention(c) (UInt64, UnsafeRawPointer?) -> Int32).self)
        let withoutExitHandler: UInt64 = 0x80000
        _ = initialize(withoutExitHandler, nil)
    }()
}
