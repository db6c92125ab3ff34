/// Decides which stores may contain ``ShreddableObject`` classes.
enum ShreddableClasses {
    /// Refuses such classes if their objects would have no keys of their own.
    static func check(_ classes: [any StoredObject.Type], _ engine: any StorageEngine, _ storeName: String) throws(ObjectStoreError) {
        guard let type = classes.first(where: { $0 is any ShreddableObject.Type }) else { return }
        let name = type.objectSchema.name
        guard let engine = engine as? SealedEngine else { throw refusal(storeName, name) }
        do { _ = try engine.form.session.session(groupKey: try engine.form.session.makeGroupKey()) } catch {
            throw ObjectStoreError(
                .notSupported,
                "\(name) is shreddable, but the cipher of \(storeName) does not support keys for groups of objects",
                cause: error
            )
        }
    }

    /// - Parameter className: `nil` if unknown.
    static func refusal(_ storeName: String, _ className: String? = nil) -> ObjectStoreError {
        ObjectStoreError(
            .notSupported,
            "\(className.map { "\($0) is shreddable, and " } ?? "")\(storeName) is not encrypted, so nothing can be shredded in it; encrypt it first"
        )
    }
}
