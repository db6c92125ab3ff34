import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredProperty {
    private var keyPath: String { "\\.\(name.declared)" }

    /// What stands for the property's storage before a default is made.
    func accessors(index: Int) -> [AccessorDeclSyntax] {
        let storage = name.storage
        let missing = missing(index: index)
        let get: String
        let set: String
        var modify: String?
        switch kind {
        case .value:
            let value = isStoredAsDeclared ? "return \(storage)" : "if let value = \(storage) { return value }\nreturn \(missing)"
            get = "_$willRead(\(keyPath))\n\(value)"
            set = "_$willChange(\(index), \(keyPath))\n\(storage) = newValue\n_$didChange(\(keyPath))"
            modify = """
                _$willChange(\(index), \(keyPath))
                defer { _$didChange(\(keyPath)) }
                \(isStoredAsDeclared ? "" : "if \(storage) == nil { \(storage) = \(missing) }\n")\
                yield &\(storage)\(isStoredAsDeclared ? "" : "!")
                """
        case .toOne(let target):
            get = "_$willRead(\(keyPath))\nreturn _$object(\(storage), as: (\(target)).self)"
            set = "_$setReference(newValue, \(index), \(keyPath))"
        case .toMany(let collection):
            let live = "\(collection.type)(_$owner: self, \(index), _$collection(&\(storage)))"
            get = "_$willRead(\(keyPath))\nreturn \(collection.isArray ? "Array(\(live))" : live)"
            set = "_$willRead(\(keyPath))\n\(live)._$replace(with: \(collection.isArray ? "\(collection.type)(newValue)" : "newValue"))"
        }
        let initializer: AccessorDeclSyntax = """
            @storageRestrictions(initializes: \(raw: storage))
            init(initialValue) {
                \(raw: initialization(from: "initialValue"))
            }
            """
        var accessors = [initializer, accessor("get", get), accessor("set", set)]
        if let modify { accessors.append(accessor("_modify", modify)) }
        return accessors
    }

    /// What to use if the storage is empty. The type is spelled out: `.none` could be that of the optional.
    func missing(index: Int, of object: String = "") -> String { "\(object)_$missing(\(index), \(fallback)) as \(type.trimmed)" }

    private func accessor(_ kind: String, _ body: String) -> AccessorDeclSyntax {
        """
        \(raw: kind) {
            \(raw: body)
        }
        """
    }

    /// The storage, and the live list of an array.
    ///
    /// `Optional<T>` is spelled out where an initializer has to give a value: `T?` would begin with `nil` and the compiler would not ask for one.
    func peers(index: Int) -> [DeclSyntax] {
        let storage = name.storage
        switch kind {
        case .value:
            let optional = isStoredAsDeclared ? type.trimmedDescription : "Optional<\(type.trimmed)>"
            return ["private var \(raw: storage): \(raw: optional)"]
        case .toOne:
            return ["private var \(raw: storage): CairnGraph.ObjectReference"]
        case .toMany(let collection):
            var peers: [DeclSyntax] = ["private var \(raw: storage): CairnGraph.ObjectCollection?"]
            if collection.isArray {
                peers.append(
                    """
                    \(raw: access.modifier)var \(raw: name.projected): \(raw: collection.type) {
                        _$willRead(\\.\(raw: name.declared))
                        return \(raw: collection.type)(_$owner: self, \(raw: index), _$collection(&\(raw: storage)))
                    }
                    """
                )
            }
            return peers
        }
    }
}
