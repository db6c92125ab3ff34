@attached(peer)
public macro Indexed() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
@attached(peer)
public macro Unique() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
@attached(peer)
public macro Searchable() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
@attached(peer)
public macro Transient() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
@attached(peer)
public macro Relationship(inverse: AnyKeyPath? = nil, onDelete: DeleteRule = .nullify) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro _StoredProperty<Object>(_ index: Int, of type: Object.Type) =
    #externalMacro(module: "CairnObjectsMacros", type: "StoredPropertyMacro")
