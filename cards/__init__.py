"""Tables -> what people look at: the papers' tables, the dataset card."""
