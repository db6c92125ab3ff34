import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// All that `@Stored` adds to the class.
    var members: [DeclSyntax] {
        var members: [DeclSyntax] = [
            "\(raw: access.memberModifier)var _$state = ObjectState()",
            faultInitializer,
            reading,
            writing,
            clearing,
            schema,
        ]
        if !hasInitializer { members.insert(memberwiseInitializer, at: 1) }
        return members
    }

    private var faultInitializer: DeclSyntax {
        let lines = properties.filter { !$0.hasDefault }.map { "\($0.name.storage) = nil" }
        return "\(raw: access.memberModifier)init(_$fault: Void) \(raw: block(lines))"
    }

    private var clearing: DeclSyntax {
        let lines = properties.map { property in
            if case .toOne = property.kind { "\(property.name.storage) = .none" } else { "\(property.name.storage) = nil" }
        }
        return "\(raw: access.memberModifier)func _$clear() \(raw: block(lines))"
    }

    private var reading: DeclSyntax {
        var lines = isHandCoded ? ["try self.read(from: &reader)"] : []
        lines += written.map { index, property in
            let storage = property.name.storage
            return switch property.kind {
            case .value: "\(storage) = try reader.read(\(index), default: \(property.fallback)) as \(property.type)"
            case .toOne: "\(storage) = try reader.readReference(\(index))"
            case .toMany: "\(storage) = try reader.readCollection(\(index))"
            }
        }
        return "\(raw: access.memberModifier)func _$read(_ reader: inout RecordReader) throws(RecordError) \(raw: block(lines))"
    }

    private var writing: DeclSyntax {
        var lines = isHandCoded ? ["self.write(to: &writer)"] : []
        lines += written.map { index, property in
            let storage = property.name.storage
            return property.isRelationship
                ? "writer.write(\(storage), field: fields[\(index)])"
                : "if let value = \(storage) { writer.write(value, field: fields[\(index)]) }"
        }
        return "\(raw: access.memberModifier)func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) \(raw: block(lines))"
    }
}

/// Lines in braces.
func block(_ lines: [String]) -> String {
    lines.isEmpty ? "{}" : "{\n" + lines.flatMap { $0.split(separator: "\n") }.map { "    \($0)\n" }.joined() + "}"
}
