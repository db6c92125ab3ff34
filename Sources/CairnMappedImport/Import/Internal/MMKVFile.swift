import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An MMKV file: the part in use, the part covered by a checksum, and its records.
///
/// Four bytes (formerly the size), then the payload, then the unused space.
struct MMKVFile {
    static let payloadStart = 4

    private let data: [UInt8]
    private let meta: MMKVMeta?
    /// The end of the payload, as far as is known.
    private let end: Int
    /// The end of the bytes that a checksum covers.
    private(set) var verified: Int
    private(set) var damage: String?
    private(set) var warnings: [String] = []
    private(set) var records: [ForeignRecord] = []

    init(_ data: [UInt8], meta metaBytes: [UInt8]?, cipher: MappedImportCipher?) throws(MappedStoreError) {
        guard data.count >= Self.payloadStart else {
            throw MappedStoreError(.malformedInput, "\(data.count) bytes are too few for an MMKV file, which has at least 4")
        }
        self.data = data
        let limit = data.count - Self.payloadStart
        let oldSize = Int(data[3]) << 24 | Int(data[2]) << 16 | Int(data[1]) << 8 | Int(data[0])
        meta = metaBytes.flatMap { MMKVMeta($0) }
        guard let meta else {
            // A checksum of nothing, as in a new file, proves something only if there is nothing.
            let isUnused = data.dropFirst(Self.payloadStart).allSatisfy { $0 == 0 }
            end = data.count
            verified = isUnused ? data.count : 0
            if !isUnused {
                let state = metaBytes == nil ? "is missing" : "is damaged"
                damage = "the .crc file \(state), so the end of the records is unknown, and outdated ones may be included"
                try read(cipher)
            }
            return
        }
        let old = MMKVMeta.Claim(size: oldSize, checksum: meta.current.checksum)
        let claims = meta.hasSize ? [meta.current, old] : [old, meta.current]
        let size: Int
        if let claim = claims.first(where: { Self.holds($0, data) }) {
            size = claim.size
            verified = Self.payloadStart + size
        } else {
            // Size and checksum are not written in one step: if a process was killed between the two, one is old and one is new.
            let claimed = claims[0].size
            let fitting = CRC32.lastFit(of: meta.current.checksum, in: data.dropFirst(Self.payloadStart)) ?? 0
            let vouched = max(fitting, Self.holds(meta.confirmed, data) ? meta.confirmed.size : 0)
            size = max(vouched, min(claimed, limit))
            verified = Self.payloadStart + vouched
            if fitting > 0, fitting == size {
                warnings.append("the .crc file gives \(claimed) bytes in use, but its checksum matches \(size)")
            } else {
                damage =
                    claimed > limit ? "the file is truncated: \(claimed) bytes in use, \(limit) present" : "the checksum does not match"
                if vouched > 0 { damage? += "; the first \(vouched) bytes have a valid checksum" }
            }
        }
        end = Self.payloadStart + size
        if size > 0 { try read(cipher) }
    }

    private static func holds(_ claim: MMKVMeta.Claim, _ data: [UInt8]) -> Bool {
        claim.size <= data.count - payloadStart
            && CRC32.checksum(data[payloadStart..<payloadStart + claim.size]) == claim.checksum
    }

    // MARK: - Records

    private mutating func read(_ cipher: MappedImportCipher?) throws(MappedStoreError) {
        let plain = MMKVPayload(data, from: Self.payloadStart, to: end)
        var payload = plain
        if let cipher {
            let decrypted = try self.decrypted(cipher)
            if reads(decrypted), decrypted.beginsWell || verified == Self.payloadStart, !isPlain(plain) || decrypted.end >= plain.end {
                payload = decrypted
            } else if isPlain(plain) {
                warnings.append("the file is not encrypted: the key was not needed")
            } else {
                throw meta == nil
                    ? MappedStoreError(.malformedInput, "the file is encrypted, and its initialization vector was in the .crc file")
                    : MappedStoreError(.wrongKey, "the key is wrong, or the beginning of the file or of its .crc file is damaged")
            }
        } else if !reads(plain) || looksEncrypted(plain) {
            // The checksum matches bytes that are not records, or there is no record at all.
            throw verified > Self.payloadStart || looksEncrypted(plain)
                ? MappedStoreError(.keyNeeded, "the file is encrypted")
                : MappedStoreError(
                    .malformedInput,
                    "no record can be read: the file is encrypted, damaged at its beginning, or not an MMKV file"
                )
        }
        records = payload.records
        guard payload.end < end else { return }
        if meta != nil {
            damage? += "; \(end - payload.end) bytes starting at \(payload.end) are not a complete record"
        } else if data[payload.end..<end].contains(where: { $0 != 0 }) {
            // Otherwise the rest is empty space.
            damage? += "; bytes after the last of them were not read"
        }
    }

    /// Whether `payload` was written by MMKV, possibly with damage in the unverified part.
    private func reads(_ payload: MMKVPayload) -> Bool {
        if verified > Self.payloadStart { return payload.end >= verified }
        // Without the .crc file, nothing else distinguishes records from bytes that resemble them by chance.
        guard meta != nil else { return !payload.records.isEmpty && payload.beginsWell && payload.hasTextKeys }
        return !payload.records.isEmpty || payload.end == end
    }

    /// Whether the records read without a key can be all of them. Without a .crc file, space of unknown length follows.
    private func isPlain(_ payload: MMKVPayload) -> Bool {
        meta == nil ? reads(payload) : payload.hasTextKeys && payload.end == end
    }

    /// Whether records were read only by chance: files that were never encrypted have no vector.
    private func looksEncrypted(_ payload: MMKVPayload) -> Bool {
        guard let meta, meta.vector.contains(where: { $0 != 0 }) else { return false }
        return !payload.hasTextKeys || !payload.beginsWell && verified > Self.payloadStart
    }

    /// The payload decrypted with the key that makes more of it readable: nothing says whether a key has 128 or 256 bits.
    private func decrypted(_ cipher: MappedImportCipher) throws(MappedStoreError) -> MMKVPayload {
        var best: MMKVPayload?
        for count in [16, 32] {
            let key = cipher.key(of: count)
            let vector = meta.flatMap { $0.hasVector ? $0.vector : nil } ?? Array(key.prefix(16))
            let plain = try cipher.decrypted(Array(data[Self.payloadStart..<end]), key: key, vector: vector)
            var payload = MMKVPayload(Array(repeating: 0, count: Self.payloadStart) + plain, from: Self.payloadStart, to: end)
            if !payload.hasTextKeys { payload = MMKVPayload([], from: 0, to: 0) }
            if payload.end > best?.end ?? -1 { best = payload }
        }
        return best ?? MMKVPayload([], from: 0, to: 0)
    }
}
