// The protocol and its types belong to the vocabulary of this module's API.
@_exported public import CairnEngine
