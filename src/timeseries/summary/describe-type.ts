/** A text in the languages of the region. */
type InLanguages = { readonly de: string; readonly it: string; readonly en: string }

/** What station types that many hubs have are called. */
const titles: Readonly<Record<string, readonly [de: string, it: string, en: string]>> = {
  ParkingStation: ['Parkplätze', 'Parcheggi', 'Car parks'],
  ParkingSensor: ['Parksensoren', 'Sensori di parcheggio', 'Parking sensors'],
  ParkingFacility: ['Parkeinrichtungen', 'Strutture di sosta', 'Parking facilities'],
  EChargingStation: ['Ladestationen', 'Stazioni di ricarica', 'Charging stations'],
  EChargingPlug: ['Ladepunkte', 'Punti di ricarica', 'Charging points'],
  BIKE_CHARGER: ['Ladestationen für Fahrräder', 'Ricarica per biciclette', 'Bike chargers'],
  BIKE_CHARGER_BAY: [
    'Ladeplätze für Fahrräder',
    'Postazioni di ricarica bici',
    'Bike charger bays',
  ],
  BikeCounter: ['Fahrradzähler', 'Contatori di biciclette', 'Bicycle counters'],
  BikeParking: ['Fahrradabstellplätze', 'Posti bici', 'Bicycle parking'],
  BikeParkingLocation: ['Fahrradparkhäuser', 'Velostazioni', 'Bicycle parking locations'],
  BikesharingStation: [
    'Bikesharing-Stationen',
    'Stazioni di bike sharing',
    'Bike-sharing stations',
  ],
  Bicyclestationbay: ['Bikesharing-Stellplätze', 'Stalli di bike sharing', 'Bike-sharing bays'],
  Bicycle: ['Leihfahrräder', 'Biciclette condivise', 'Shared bicycles'],
  CarsharingStation: ['Carsharing-Stationen', 'Stazioni di car sharing', 'Car-sharing stations'],
  CarsharingCar: ['Carsharing-Autos', 'Auto condivise', 'Shared cars'],
  CarpoolingHub: ['Mitfahrpunkte', 'Punti di car pooling', 'Carpooling hubs'],
  TrafficSensor: ['Verkehrssensoren', 'Sensori di traffico', 'Traffic sensors'],
  TrafficDirection: ['Verkehr nach Richtung', 'Traffico per direzione', 'Traffic by direction'],
  TrafficForecast: ['Verkehrsprognosen', 'Previsioni del traffico', 'Traffic forecasts'],
  TrafficStreetFactor: ['Straßenfaktoren', 'Fattori stradali', 'Street factors'],
  RWISstation: ['Straßenwetterstationen', 'Stazioni meteo stradali', 'Road weather stations'],
  VMS: ['Wechseltextanzeigen', 'Pannelli a messaggio variabile', 'Variable message signs'],
  BluetoothStation: ['Bluetooth-Stationen', 'Stazioni Bluetooth', 'Bluetooth stations'],
  LinkStation: ['Reisezeiten auf Strecken', 'Tempi di percorrenza', 'Travel times on links'],
  MeteoStation: ['Wetterstationen', 'Stazioni meteo', 'Weather stations'],
  WeatherForecast: ['Wettervorhersagen', 'Previsioni meteo', 'Weather forecasts'],
  EnvironmentStation: ['Umweltmessstationen', 'Stazioni ambientali', 'Environment stations'],
  IndoorStation: ['Messstationen in Räumen', 'Stazioni di misura interne', 'Indoor stations'],
  PeopleCounter: ['Personenzähler', 'Contatori di persone', 'People counters'],
  ON_DEMAND_VEHICLE: ['Rufbusse', 'Autobus a chiamata', 'On-demand vehicles'],
  ON_DEMAND_STOP: ['Haltestellen der Rufbusse', 'Fermate a chiamata', 'On-demand stops'],
  Culture: ['Kultureinrichtungen', 'Luoghi della cultura', 'Cultural places'],
}

/** What a station type is called and what it holds; its name where nothing more is known. */
export function describeStationType(type: string): {
  readonly title: InLanguages
  readonly description: InLanguages
} {
  const [de, it, en] = titles[type] ?? [type, type, type]
  return {
    title: { de, it, en },
    description: {
      de: `Stationen vom Typ ${type}, ihre letzten Werte und deren Verlauf.`,
      it: `Stazioni di tipo ${type}, gli ultimi valori e lo storico.`,
      en: `Stations of the type ${type}, their latest values and history.`,
    },
  }
}
