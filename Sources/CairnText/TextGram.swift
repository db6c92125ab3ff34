/// Three consecutive scalars of the form of a text, 21 bits each: they sort as their UTF-8 does.
///
/// Each scalar of a text begins a gram. Two zeros follow a text, so that its last two scalars begin one too, and a query may have just one
/// or two scalars.
package typealias TextGram = UInt64

/// A number that stands for a gram in a text index: the gram itself or, in an encrypted store, a hash of it.
package typealias TextTerm = UInt64

package enum TextGrams {
    /// Calls `body` with each gram of a form, as often as it occurs, and with the number of scalars before it, at most 255.
    @inline(__always)
    package static func forEach(_ form: [UInt8], _ body: (TextGram, _ place: UInt8) -> Void) {
        let form = form.span
        let mask: TextGram = 1 << 63 - 1
        var gram: TextGram = 0
        var count = 0
        var position = 0
        while position < form.count {
            gram = (gram << 21 | TextGram(UTF8Reading.scalar(form, &position))) & mask
            count += 1
            if count >= 3 { body(gram, place(count - 3)) }
        }
        if count == 1 { gram <<= 21 }
        if count >= 2 { body(gram << 21 & mask, place(count - 2)) }
        if count >= 1 { body(gram << (count == 1 ? 21 : 42) & mask, place(count - 1)) }
    }

    @inline(__always)
    private static func place(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: min(count, 255)) }

    /// The distinct grams of a form with their places, sorted.
    package static func distinct(_ form: [UInt8]) -> [(gram: TextGram, places: TextPlaces)] {
        var found: [(gram: TextGram, place: UInt8)] = []
        forEach(form) { found.append(($0, $1)) }
        found.sort { ($0.gram, $0.place) < ($1.gram, $1.place) }
        var grams: [(gram: TextGram, places: TextPlaces)] = []
        for (gram, place) in found {
            if let last = grams.indices.last, grams[last].gram == gram {
                grams[last].places.add(place)
            } else {
                grams.append((gram, TextPlaces(byte: place)))
            }
        }
        return grams
    }

    /// A gram of up to three scalars, padded with zeros.
    package static func gram(_ scalars: some Collection<UInt32>) -> TextGram {
        var gram: TextGram = 0
        for scalar in scalars { gram = gram << 21 | UInt64(scalar) }
        return gram << UInt64(21 * (3 - scalars.count))
    }
}
