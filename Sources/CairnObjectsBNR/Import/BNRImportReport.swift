/// The result of importing a BNRPersistence directory.
///
/// `description` contains class names and counts; the examples may contain rows and names.
public struct BNRImportReport: Hashable, Sendable {
    /// The result for a class.
    public struct ClassReport: Hashable, Sendable {
        /// The name in BNRPersistence.
        public var name: String
        /// The name in the store.
        public var storedName: String
        /// The number of objects according to the header of the file.
        public var claimedCount = 0
        /// The number of objects that were read and imported.
        public var objectCount = 0
        /// The number of objects that do not match the layout, or whose values do not fit the properties.
        public var failedCount = 0
        /// The number of objects read that were encrypted.
        public var encryptedCount = 0
        /// The number of objects read by version of the class; empty in stores without versions.
        public var versions: [UInt8: Int] = [:]
        /// The damage found in the file.
        public var damage: [String] = []
    }

    /// The classes, in the order of the layout.
    public var classes: [ClassReport] = []
    /// The number of names imported.
    public var nameCount = 0
    /// The number of names that could not be read.
    public var failedNameCount = 0
    /// The damage found in the file of names.
    public var nameDamage: [String] = []
    /// The reasons why objects and names could not be read: the first ``exampleCount`` of each class.
    public var failures: [String] = []
    /// The number of references to objects that do not exist (which BNRPersistence allows) or are not imported, or that do not fit the inverse. They are
    /// omitted; everything else in the objects is imported.
    public var lostReferenceCount = 0
    /// The first ``exampleCount`` of these references.
    public var lostReferences: [String] = []
    /// Classes that have a file but are not in the layout.
    public var ignoredClasses: [String] = []
    /// Indexes that do not have entries for the objects yet. They are completed when a program opens the store with the class.
    public var incompleteIndexes: [String] = []

    /// The maximum number of examples listed.
    public static var exampleCount: Int { 20 }

    /// An empty report.
    public init() {}

    /// The number of objects read.
    public var objectCount: Int { classes.reduce(0) { $0 + $1.objectCount } }

    /// The number of objects that could not be read. Objects lost in damaged files are not counted.
    public var failedCount: Int { classes.reduce(0) { $0 + $1.failedCount } }

    /// Whether all objects and names were read and no file is damaged.
    public var isWhole: Bool {
        failedCount == 0 && failedNameCount == 0 && nameDamage.isEmpty && classes.allSatisfy { $0.damage.isEmpty }
    }
}

extension BNRImportReport: CustomStringConvertible {
    /// A line for each class and each kind of problem.
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
        if lostReferenceCount > 0 { lines.append("references to missing objects: \(lostReferenceCount)") }
        if !ignoredClasses.isEmpty { lines.append("classes without a layout: \(ignoredClasses.joined(separator: ", "))") }
        if !incompleteIndexes.isEmpty { lines.append("incomplete indexes: \(incompleteIndexes.joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }
}
