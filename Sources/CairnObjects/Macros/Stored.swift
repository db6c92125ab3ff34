@attached(member, names: arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: StoredObject)
public macro Stored(name: String? = nil, formerNames: [String] = [], version: UInt8 = 1, indexes: [[String]] = []) =
    #externalMacro(module: "CairnObjectsMacros", type: "StoredMacro")

@attached(peer)
public macro Stored(originalName: String) = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
