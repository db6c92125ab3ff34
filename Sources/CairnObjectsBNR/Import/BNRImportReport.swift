/// What became of the objects of a BNRPersistence directory.
///
/// `description` has names of classes and counts; the lists of examples may name rows and named buffers.
public struct BNRImportReport: Hashable, Sendable {
    /// What became of a class.
    public struct ClassReport: Hashable, Sendable {
        /// The name in BNRPersistence.
        public var name: String
        /// The name in the store.
        public var storedName: String
        /// How many objects its file should have, as its header says.
        public var claimedCount = 0
        /// How many objects were read, and become objects of the store.
        public var objectCount = 0
        /// How many objects are in the file, and are not what the layout says, or not what the properties can hold.
        public var failedCount = 0
        /// How many of those that were read were encrypted.
        public var encryptedCount = 0
        /// How many of those that were read each version of the class wrote; empty in stores without versions.
        public var versions: [UInt8: Int] = [:]
        /// What is damaged in the file.
        public var damage: [String] = []
    }

    /// In the order of the layout.
    public var classes: [ClassReport] = []
    /// How many names became names of the store.
    public var nameCount = 0
    /// How many names could not be read.
    public var failedNameCount = 0
    /// What is damaged in the file of names.
    public var nameDamage: [String] = []
    /// Why objects and names could not be read: the first ``exampleCount`` of each class.
    public var failures: [String] = []
    /// How many references led to objects that are not there or not imported, or to more than an inverse can hold. They were left out; all else of the
    /// objects is there. BNRPersistence allows the former.
    public var lostReferenceCount = 0
    /// The first ``exampleCount`` of them.
    public var lostReferences: [String] = []
    /// Classes that have a file, and are not in the layout.
    public var ignoredClasses: [String] = []
    /// Indexes that have no entries for the objects yet: they are made when a program opens the store with the class.
    public var incompleteIndexes: [String] = []

    /// How many examples are listed.
    public static var exampleCount: Int { 20 }

    /// An empty report.
    public init() {}

    /// How many objects were read.
    public var objectCount: Int { classes.reduce(0) { $0 + $1.objectCount } }

    /// How many objects are there that could not be read. Those are not among them that nobody can count, in files that are damaged.
    public var failedCount: Int { classes.reduce(0) { $0 + $1.failedCount } }

    /// Whether all objects and names were read, and no file is damaged.
    public var isWhole: Bool {
        failedCount == 0 && failedNameCount == 0 && nameDamage.isEmpty && classes.allSatisfy { $0.damage.isEmpty }
    }
}

extension BNRImportReport: CustomStringConvertible {
    /// A line for each class, and for what is not as it should be.
    public var description: String {
        var lines: [String] = []
        for item in classes {
            let name = item.name == item.storedName ? item.name : "\(item.name) as \(item.storedName)"
            var line = "\(name): \(item.objectCount) of \(item.claimedCount) objects"
            if item.failedCount > 0 { line += ", \(item.failedCount) cannot be read" }
            if item.encryptedCount > 0 { line += ", \(item.encryptedCount) were encrypted" }
            lines.append(line)
            for damage in item.damage { lines.append("\(item.name) is damaged: \(damage)") }
        }
        if nameCount + failedNameCount > 0 { lines.append("names: \(nameCount) of \(nameCount + failedNameCount)") }
        for damage in nameDamage { lines.append("the names are damaged: \(damage)") }
        if lostReferenceCount > 0 { lines.append("references to what is not there: \(lostReferenceCount)") }
        if !ignoredClasses.isEmpty { lines.append("classes without a layout: \(ignoredClasses.joined(separator: ", "))") }
        if !incompleteIndexes.isEmpty { lines.append("indexes to be completed: \(incompleteIndexes.joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }
}
