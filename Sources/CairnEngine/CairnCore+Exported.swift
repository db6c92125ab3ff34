// Keys, ranges, durability and error parts belong to the vocabulary of this module's API: one import gives all of it.
@_exported public import CairnCore
