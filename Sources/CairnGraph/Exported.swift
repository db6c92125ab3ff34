// Keys, durability, error parts and engines belong to the vocabulary of this module's API: one import gives all of it.
@_exported public import CairnCore
@_exported public import CairnEngine
// Queries and their errors.
@_exported public import CairnText
