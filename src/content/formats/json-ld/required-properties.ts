/**
 * What a record has to tell to be of use to those who read linked data, by its type. The properties that
 * are always there come first.
 */
export const requiredProperties = {
  Hotel: ['@id', 'name', 'address', 'geo'],
  Restaurant: ['@id', 'name', 'address', 'geo'],
  Event: ['@id', 'name', 'startDate', 'location'],
  TouristAttraction: ['@id', 'name', 'geo'],
  Recipe: ['@id', 'name', 'recipeIngredient', 'recipeInstructions'],
  SkiResort: ['@id', 'name', 'geo'],
  Place: ['@id', 'name'],
  HotelRoom: ['@id', 'name'],
  SpecialAnnouncement: ['@id', 'name'],
  Observation: ['@id', 'name', 'observationAbout'],
  Dataset: ['@id', 'name', 'url'],
  ImageObject: ['@id', 'name', 'contentUrl'],
  Organization: ['@id', 'name'],
  DefinedTerm: ['@id', 'name'],
  Product: ['@id', 'name'],
} as const
