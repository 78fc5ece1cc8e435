//! Which contact set rules which pair of bodies.
/// stub
pub struct LawTable { tables: Vec<String>, of: Vec<usize>, law: Vec<Option<usize>> }
/// stub
pub fn law_table(case: &crate::case::Case) -> LawTable {
    let mut tables: Vec<String> = Vec::new(); let mut of = Vec::new();
    for b in &case.system.bodies { let at = tables.iter().position(|t| *t == b.table).unwrap_or_else(|| { tables.push(b.table.clone()); tables.len() - 1 }); of.push(at); }
    let n = tables.len(); let mut law = vec![None; n*n];
    let means = |w: &WordCase, t: &String| match w { WordCase::Any => true, WordCase::Body(x) | WordCase::Table(x) | WordCase::Material(x) => x == t };
    for (s, c) in case.contacts.iter().enumerate() { if let crate::case::PairCase::Bodies([a, b]) = &c.pair { for i in 0..n { for j in 0..n { if (means(a,&tables[i]) && means(b,&tables[j])) || (means(a,&tables[j]) && means(b,&tables[i])) { law[i*n+j] = Some(s); } } } } }
    LawTable { tables, of, law }
}
impl LawTable {
    /// stub
    pub fn class_of(&self, i: usize) -> usize { self.of[i] }
    /// stub
    pub fn classes(&self) -> usize { self.tables.len() }
    /// stub
    pub fn law(&self, a: usize, b: usize) -> Option<usize> { self.law[a*self.classes()+b] }
    /// stub
    pub fn meets(&self, a: usize) -> bool { (0..self.classes()).any(|b| self.law(a,b).is_some()) }
}

/// A word of `between`, resolved: from the most special to the most general.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordCase {
    /// One body.
    Body(String),
    /// All bodies of a table.
    Table(String),
    /// All bodies of a material.
    Material(String),
    /// Every body.
    Any,
}
