// Classes are declared in order to be stored: one import gives both.
@_exported public import CairnGraph
