import ArgumentParser
import CairnCore
import CairnForms
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print classes, objects and names as JSON Lines that 'import' reads.",
            discussion: """
                The first line gives the format, followed by the classes, the objects with their identities and values, and the names. References \
                are written as identities. Damaged objects are omitted and reported on standard error; exits with 1 if there are any.

                If a class is given, only its objects are exported, without names. The objects that they refer to must exist when they are imported.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class. (default: all classes and the names)") var className: String?

        func run() throws {
            try store.reading { store in
                let chosen = try className.map { [try store.classNamed($0)] } ?? store.catalog.classes
                var damage = DamageNotes()
                try printing { output in
                    try output.write(ObjectJSON.header)
                    for stored in store.catalog.classes { try output.write(ObjectJSON.line(stored)) }
                    try store.inspect { inspector in
                        for stored in chosen {
                            try inspector.forEach(stored) { result in
                                if let object = damage.object(result) { try output.write(ObjectJSON.line(object, stored)) }
                                return true
                            }
                        }
                        guard className == nil else { return }
                        try inspector.forEachName { result in
                            if let name = damage.object(result) { try output.write(ObjectJSON.line(name)) }
                            return true
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }
    }
}
