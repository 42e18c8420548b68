// Nothing of its own: here the header that tests share is compiled.
