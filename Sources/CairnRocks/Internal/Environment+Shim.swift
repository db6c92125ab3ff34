import CRocks
import CairnCore

extension ObjectHandle {
    /// A C++ environment that calls `cipher`.
    convenience init(encryptedBy cipher: some FileCipher) throws(RocksError) {
        let context = unsafe Unmanaged.passRetained(CipherBox(cipher)).toOpaque()
        let pointer = unsafe crk_environment_create_encrypted(
            context,
            { context, nonce, offset, data, size in
                unsafe Unmanaged<CipherBox>.fromOpaque(context)._withUnsafeGuaranteedRef { box in
                    var bytes = unsafe MutableRawSpan(_unsafeStart: data, byteCount: size)
                    do {
                        try unsafe box.cipher.apply(to: &bytes, nonce: nonce.span, offset: offset)
                        return true
                    } catch {
                        return false
                    }
                }
            },
            { context in unsafe Unmanaged<CipherBox>.fromOpaque(context).release() }
        )
        unsafe try self.init(pointer, "an environment") { unsafe crk_environment_release($0) }
    }
}

private final class CipherBox {
    let cipher: any FileCipher
    init(_ cipher: any FileCipher) { self.cipher = cipher }
}
