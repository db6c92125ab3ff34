import CRocks
import CairnCore
import Synchronization

/// A set of options that RocksDB knows by name.
///
/// Every option can be set by its typed property or by RocksDB's name; both are equivalent:
///
/// ```swift
/// var options = DatabaseOptions()
/// options.maxBackgroundJobs = 4
/// options["max_background_jobs"] = "4"
/// ```
///
/// Names and values are checked when a database is opened: one that the installed library does not accept, or that would make it end the
/// process, throws ``RocksError/Code/invalidOption`` and names the option. RocksDB silently adjusts some values; use
/// ``RocksDB/currentOptions()`` and ``RocksStore/currentColumnFamilyOptions()`` to find out what is in effect.
///
/// Each option's documentation states RocksDB's name for it, its default in RocksDB 7.8, and whether it can be changed while the database
/// is open or is fixed.
public protocol NamedOptions: Sendable {
    /// The options set, by RocksDB's name; all others keep the library's default.
    var settings: [String: String] { get set }
    /// Every option of the installed library with its default, by RocksDB's name.
    static var defaults: [String: String] { get }
}

extension NamedOptions {
    /// The option's text as set here, or else the library's default; `nil` if the library has no such option. Setting `nil` restores the
    /// default.
    public subscript(name: String) -> String? {
        get { settings[name] ?? Self.defaults[name] }
        set { settings[name] = newValue }
    }

    /// The typed form of ``subscript(_:)``. An unreadable or missing value reads as the default, or else as `Value.whenAbsent`.
    public subscript<Value: OptionValue>(name: String, as type: Value.Type = Value.self) -> Value {
        get {
            settings[name].flatMap(Value.init(optionText:)) ?? Self.defaults[name].flatMap(Value.init(optionText:)) ?? .whenAbsent
        }
        set { settings[name] = newValue.optionText }
    }
}

extension NamedOptions {
    /// Calls `body` with the settings in the shim's form, unless a rule refuses one.
    func withShimSettings(_ body: (UnsafePointer<crk_setting>?, Int) -> crk_status) throws(RocksError) -> crk_status {
        try checkRules()
        // One buffer for all names and values, so that one pointer serves them all.
        var buffer: [UInt8] = []
        var lengths: [(name: Int, value: Int)] = []
        for (name, value) in settings {
            lengths.append((name.utf8.count, value.utf8.count))
            buffer += name.utf8
            buffer += value.utf8
        }
        return unsafe buffer.withUnsafeBytes { bytes in
            var pairs: [crk_setting] = unsafe []
            var offset = 0
            for length in lengths {
                let name = unsafe crk_bytes(data: bytes.baseAddress! + offset, size: length.name)
                let value = unsafe crk_bytes(data: bytes.baseAddress! + offset + length.name, size: length.value)
                unsafe pairs.append(crk_setting(name: name, value: value))
                offset += length.name + length.value
            }
            return unsafe pairs.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
        }
    }
}

/// Splits RocksDB's option text (`a=1;b={c=2}`) into its settings.
func parseOptionText(_ text: String) -> [String: String] {
    let (status, pairs) = unsafe Collector.pairs { context, sink in
        text.withBytes { bytes in unsafe bytes.withShimBytes { unsafe crk_settings_parse($0, context, sink) } }
    }
    guard status.isOK else {
        crk_status_free(status)
        return [:]
    }
    return pairs
}
