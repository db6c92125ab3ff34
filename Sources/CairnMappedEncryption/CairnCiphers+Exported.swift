// The cost of scrypt belongs to the vocabulary of this module's API.
@_exported public import CairnCiphers
