import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation

@Stored(indexes: [["city", "age"]]) final class Patient {
    @Indexed var city: String
    @Unique var number: String?
    var name: String
    @Indexed var age: Int = 0
    var scan: [UInt8] = []
    @Relationship var relatives: ObjectList<Patient>
    @Relationship(inverse: \Ward.patients) var ward: Ward?
}

@Stored final class Ward {
    @Unique var title: String
    @Relationship var patients: ObjectSet<Patient>
}

let hospital: [any StoredObject.Type] = [Patient.self, Ward.self]

/// A directory with stores for one test; keep it in a variable.
struct Safe {
    let directory = try! TemporaryDirectory()
    let cipher = try! ObjectEncryption(key: SymmetricKey(size: .bits256))
    var path: String { directory.path("store") }

    func open(
        _ cipher: (any ObjectCipher)?,
        _ classes: [any StoredObject.Type] = hospital,
        readOnly: Bool = false,
        createIfMissing: Bool = true
    ) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        options.readOnly = readOnly
        options.createIfMissing = createIfMissing
        return try ObjectStore(path: path, classes: classes, options: options)
    }

    /// The code of the error that opening throws.
    func refusal(_ cipher: (any ObjectCipher)?) -> ObjectStoreError.Code? { code { try open(cipher) } }

    /// The names of the files in which any of `words` can be read.
    func filesWith(_ words: [String]) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path)
        return try paths.filter { name in
            let file = URL(fileURLWithPath: path + "/" + name)
            guard try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else { return false }
            let contents = try Data(contentsOf: file)
            return words.contains { contents.range(of: Data($0.utf8)) != nil }
        }
    }
}

/// A store in memory, whose entries somebody else can read and change.
struct OpenSafe {
    let engine: MemoryEngine
    let cipher: ObjectEncryption

    init(_ engine: MemoryEngine = MemoryEngine(), key: SymmetricKey = SymmetricKey(size: .bits256)) throws {
        self.engine = engine
        cipher = try ObjectEncryption(key: key)
    }

    func store(
        _ classes: [any StoredObject.Type] = hospital,
        encrypted: Bool = true,
        _ options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws -> ObjectStore {
        var options = options
        if encrypted { options.cipher = cipher }
        return try ObjectStore(engine: engine, classes: classes, options: options)
    }

    func entries() throws -> [(key: [UInt8], value: [UInt8])] { try engine.makeView().entries() }

    func put(_ value: [UInt8], _ key: [UInt8]) throws {
        var commit = EngineCommit()
        commit.put(value, for: key)
        try engine.commit(commit)
    }
}

/// The words of ``fill(_:)`` that must not be seen anywhere.
let secrets = [
    "Patient", "Aurora", "Zebulon", "Secretville", "Hiddenberg", "Z-number", "Ward nine", "favourite patient", "the director's note",
    "relatives",
]

/// Patients, every tenth with a large scan, in wards and related to one another, and names.
func fill(_ store: ObjectStore, _ count: Int = 200) throws {
    try store.write { context in
        let ward = Ward(title: "Ward nine")
        context.insert(ward)
        var last: Patient?
        for number in 0..<count {
            let patient = Patient(
                city: number.isMultiple(of: 3) ? "Secretville" : "Hiddenberg",
                number: number == 7 ? nil : "Z-number \(number)",
                name: number.isMultiple(of: 2) ? "Aurora \(number)" : "Zebulon \(number)",
                age: number % 90
            )
            if number.isMultiple(of: 10) { patient.scan = [UInt8](repeating: UInt8(number), count: 3000) }
            context.insert(patient)
            if let last { patient.relatives.append(last) }
            if number.isMultiple(of: 4) { patient.ward = ward }
            last = patient
        }
        if let last { try context.setNamed("favourite patient", to: last) }
        try context.setNamed("the director's note", to: "Aurora is well")
    }
}

/// All that ``fill(_:)`` put there.
func contents(_ store: ObjectStore) throws -> String {
    try store.read { context in
        var lines = try context.fetch(Patient.self).map { patient in
            let relatives = patient.relatives.map { $0.name }.joined(separator: "+")
            let rest = "\(patient.age) \(patient.scan.count) \(relatives) \(patient.ward?.title ?? "-")"
            return "\(patient.name) \(patient.city) \(patient.number ?? "-") \(rest)"
        }
        for name in try context.names() { lines.append(name) }
        lines.append(try context.named("the director's note", as: String.self) ?? "-")
        lines.append(try context.named("favourite patient", as: Patient.self)?.name ?? "-")
        return lines.joined(separator: "\n")
    }
}

func code<Value>(_ body: () throws -> Value) -> ObjectStoreError.Code? {
    do { _ = try body() } catch { return (error as? ObjectStoreError)?.code }
    return nil
}

func message<Value>(_ body: () throws -> Value) -> String {
    do { _ = try body() } catch { return (error as? ObjectStoreError)?.message ?? "\(error)" }
    return "nothing was thrown"
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) }
}

extension ScryptCost {
    /// So that tests take no time.
    static let cheap = ScryptCost(stored: 4)!
}

/// The patient of a row.
func patientID(_ row: Int) -> ObjectID { ObjectID("1/\(row)")! }
