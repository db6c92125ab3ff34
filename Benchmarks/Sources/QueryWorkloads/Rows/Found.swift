import BenchKit

/// What queries found: by it the sides are compared.
struct Found: Equatable {
    var count: UInt64 = 0
    var numbers: UInt64 = 0
    var prices: UInt64 = 0
    /// Bytes of all titles.
    var letters: UInt64 = 0
    /// Of items that come in order: the place within the query, from 1, times the number.
    var order: UInt64 = 0

    mutating func add(number: Int, price: Int, title: String) {
        count += 1
        numbers &+= UInt64(bitPattern: Int64(number))
        prices &+= UInt64(bitPattern: Int64(price))
        letters += UInt64(title.utf8.count)
    }

    mutating func add(number: Int, at place: Int) { order &+= UInt64(place + 1) &* UInt64(bitPattern: Int64(number)) }

    var check: [UInt64] { [count, numbers, prices, letters, order] }
}
