import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct CairnObjectsMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        StoredMacro.self,
        StoredPropertyMacro.self,
        PropertyMarkerMacro.self,
    ]
}
