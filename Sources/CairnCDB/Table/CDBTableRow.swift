public import CairnCore

/// A row of a ``CDBTable``: what `ConstantDatabasePlugin` generates for the columns of a file.
///
/// ```swift
/// struct Country: CDBTableRow {
///     static let columns = "code:String,name:String,population:Int?"
///     let code: String
///     let name: String
///     let population: Int?
///
///     init(key: String, columns: inout KeyDecoder) throws(CodecError) {
///         code = key
///         name = try columns.decode()
///         population = try columns.decode()
///     }
/// }
/// ```
public protocol CDBTableRow: Sendable {
    /// The type of the first column, which is stored as its text: `String` or `Int`.
    associatedtype Key: LosslessStringConvertible & Hashable & Sendable

    /// The columns with their types, as the header of a file has them: `code:String,name:String,population:Int?`. A file with other columns is
    /// refused when it is opened.
    static var columns: String { get }

    /// Creates a row from its key, which is the first column, and the other columns in their order.
    ///
    /// - Throws: `CodecError` if a column is not of the type that the row expects.
    init(key: Key, columns: inout KeyDecoder) throws(CodecError)
}
