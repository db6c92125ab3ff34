#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is wrong with the text of a condition (``StoreInspector/Query``): its syntax, a property that does not exist, or a value that is
/// not valid for the type of its property.
public struct ConditionTextError: LocalizedError, Hashable, CustomStringConvertible {
    /// The description of the error, without a final period.
    public let message: String
    /// The position of the error, in characters.
    public let position: Int

    public var description: String { "at character \(position + 1) of the condition: \(message)" }

    /// The ``description``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { description }
}
