import CairnCore
import Testing

struct ByteCountTests {
    @Test func units() {
        #expect(ByteCount.bytes(7).bytes == 7)
        #expect(ByteCount.kilobytes(2).bytes == 2_000)
        #expect(ByteCount.megabytes(2).bytes == 2_000_000)
        #expect(ByteCount.gigabytes(2).bytes == 2_000_000_000)
        #expect(ByteCount.kibibytes(2).bytes == 2_048)
        #expect(ByteCount.mebibytes(2).bytes == 2_097_152)
        #expect(ByteCount.mebibytes(64).bytes == 67_108_864)
        #expect(ByteCount.gibibytes(2).bytes == 2_147_483_648)
    }

    @Test func overflowIsNoZero() async {
        await #expect(processExitsWith: .failure) { _ = ByteCount.kibibytes(1 << 54) }
        await #expect(processExitsWith: .failure) { _ = ByteCount.mebibytes(1 << 44) }
        await #expect(processExitsWith: .failure) { _ = ByteCount.gibibytes(1 << 34) }
    }

    @Test func arithmeticAndOrder() {
        var count = ByteCount.kibibytes(1) + .bytes(1)
        #expect(count.bytes == 1_025)
        count += .bytes(5)
        #expect(count.bytes == 1_030)
        #expect((.zero - count).bytes == -1_030)
        #expect(ByteCount.kilobytes(1) < .kibibytes(1))
        #expect(!(ByteCount.kibibytes(1) < .kibibytes(1)))
    }

    @Test(
        arguments: [
            (0, "0 B"), (900, "900 B"), (1_023, "1023 B"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (1_572_864, "1.5 MiB"),
            (67_108_864, "64 MiB"), (1 << 40, "1 TiB"), (.max, "8 EiB"), (-900, "-900 B"), (-1_536, "-1.5 KiB"), (.min, "-8 EiB"),
        ] as [(Int64, String)]
    )
    func description(bytes: Int64, text: String) {
        #expect(ByteCount(bytes: bytes).description == text)
    }
}
