import { defineTypes } from './type-spec.ts'

/** Where: points, lines and areas by coordinates. TPEG, Alert-C, OpenLR and itineraries are left out. */
export const locationTypes = defineTypes({
  GroupOfLocations: { abstract: true, members: {} },
  NonOrderedLocations: { parent: 'GroupOfLocations', abstract: true, members: {} },
  NonOrderedLocationGroupByList: {
    parent: 'NonOrderedLocations',
    members: {
      locationContainedInGroup: 'Location{2,}',
    },
  },
  Location: {
    parent: 'GroupOfLocations',
    abstract: true,
    members: {
      externalReferencing: 'ExternalReferencing*',
      locationForDisplay: 'PointCoordinates?',
    },
  },
  Area: {
    parent: 'Location',
    members: {
      areaExtension: '_AreaExtensionType?',
    },
  },
  _AreaExtensionType: {
    members: {
      areaExtended: 'AreaExtended?',
    },
  },
  AreaExtended: {
    members: {
      namedArea: 'NamedArea?',
      polygonArea: 'PolygonArea*',
    },
  },
  NamedArea: {
    members: {
      country: 'CountryEnum?',
      nation: 'MultilingualString?',
      county: 'MultilingualString?',
      areaName: 'MultilingualString?',
      policeForceControlArea: 'MultilingualString?',
      roadOperatorControlArea: 'MultilingualString?',
    },
  },
  PolygonArea: {
    members: {
      sectionName: 'MultilingualString?',
      pointCoordinates: '_PolygonAreaIndexPointCoordinates*',
    },
  },
  _PolygonAreaIndexPointCoordinates: {
    attributes: { index: 'index' },
    members: {
      pointCoordinates: 'PointCoordinates',
    },
  },
  NetworkLocation: {
    parent: 'Location',
    abstract: true,
    members: {
      supplementaryPositionalDescription: 'SupplementaryPositionalDescription?',
    },
  },
  SupplementaryPositionalDescription: {
    members: {
      locationDescriptor: 'LocationDescriptorEnum*',
      sequentialRampNumber: 'NonNegativeInteger?',
      affectedCarriagewayAndLanes: 'AffectedCarriagewayAndLanes*',
    },
  },
  AffectedCarriagewayAndLanes: {
    members: {
      carriageway: 'CarriagewayEnum',
      lane: 'LaneEnum*',
      footpath: 'Boolean?',
      lengthAffected: 'MetresAsFloat?',
    },
  },
  Point: {
    parent: 'NetworkLocation',
    members: {
      pointByCoordinates: 'PointByCoordinates?',
    },
  },
  PointByCoordinates: {
    members: {
      bearing: 'NonNegativeInteger?',
      pointCoordinates: 'PointCoordinates',
    },
  },
  Linear: {
    parent: 'NetworkLocation',
    members: {
      linearWithinLinearElement: 'LinearWithinLinearElement?',
    },
  },
  LinearWithinLinearElement: {
    members: {
      administrativeAreaOfLinearSection: 'MultilingualString?',
      directionBoundOnLinearSection: 'DirectionEnum?',
      directionRelativeOnLinearSection: 'LinearReferencingDirectionEnum?',
      heightGradeOfLinearSection: 'HeightGradeEnum?',
      linearElement: 'LinearElement',
      fromPoint: 'DistanceAlongLinearElement',
      toPoint: 'DistanceAlongLinearElement',
    },
  },
  LinearElement: {
    members: {
      roadName: 'MultilingualString?',
      roadNumber: 'String?',
      linearElementReferenceModel: 'String?',
      linearElementReferenceModelVersion: 'String?',
      linearElementNature: 'LinearElementNatureEnum?',
    },
  },
  LinearElementByCode: {
    parent: 'LinearElement',
    members: {
      linearElementIdentifier: 'String',
    },
  },
  LinearElementByPoints: {
    parent: 'LinearElement',
    members: {
      startPointOfLinearElement: 'Referent',
      intermediatePointOnLinearElement: '_IntermediatePointOnLinearElement*',
      endPointOfLinearElement: 'Referent',
    },
  },
  _IntermediatePointOnLinearElement: {
    attributes: { index: 'index' },
    members: {
      referent: 'Referent',
    },
  },
  Referent: {
    members: {
      referentIdentifier: 'String',
      referentName: 'String?',
      referentType: 'ReferentTypeEnum',
      referentDescription: 'MultilingualString?',
      pointCoordinates: 'PointCoordinates?',
    },
  },
  DistanceAlongLinearElement: { abstract: true, members: {} },
  DistanceFromLinearElementReferent: {
    parent: 'DistanceAlongLinearElement',
    members: {
      distanceAlong: 'MetresAsFloat',
      fromReferent: 'Referent',
      towardsReferent: 'Referent?',
    },
  },
  DistanceFromLinearElementStart: {
    parent: 'DistanceAlongLinearElement',
    members: {
      distanceAlong: 'MetresAsFloat',
    },
  },
  PercentageDistanceAlongLinearElement: {
    parent: 'DistanceAlongLinearElement',
    members: {
      percentageDistanceAlong: 'Percentage',
    },
  },
  ExternalReferencing: {
    members: {
      externalLocationCode: 'String',
      externalReferencingSystem: 'String',
    },
  },
  PointCoordinates: {
    members: {
      latitude: 'Float',
      longitude: 'Float',
    },
  },
})

/** The setting of a variable message sign, as far as its text. Pictograms are left out. */
export const signTypes = defineTypes({
  VmsSetting: { abstract: true, members: {} },
  VmsUnit: {
    parent: 'VmsSetting',
    members: {
      vmsUnitTableReference: '_VmsUnitTableVersionedReference',
      vmsUnitReference: '_VmsUnitRecordVersionedReference',
      vms: '_VmsUnitVmsIndexVms*',
    },
  },
  _VmsUnitTableVersionedReference: {
    parent: 'VersionedReference',
    attributes: { targetClass: '=VmsUnitTable' },
    members: {},
  },
  _VmsUnitRecordVersionedReference: {
    parent: 'VersionedReference',
    attributes: { targetClass: '=VmsUnitRecord' },
    members: {},
  },
  _VmsUnitVmsIndexVms: {
    attributes: { vmsIndex: 'index' },
    members: {
      vms: 'Vms',
    },
  },
  Vms: {
    members: {
      vmsWorking: 'Boolean',
      vmsMessageSequencingInterval: 'Seconds?',
      vmsMessage: '_VmsMessageIndexVmsMessage*',
    },
  },
  _VmsMessageIndexVmsMessage: {
    attributes: { messageIndex: 'index' },
    members: {
      vmsMessage: 'VmsMessage',
    },
  },
  VmsMessage: {
    members: {
      associatedManagementOrDiversionPlan: 'String?',
      messageSetBy: 'MultilingualString?',
      setBySystem: 'Boolean?',
      reasonForSetting: 'MultilingualString?',
      codedReasonForSetting: 'CodedReasonForSettingMessageEnum?',
      vmsMessageInformationType: 'VmsMessageInformationTypeEnum*',
      primarySetting: 'Boolean?',
      mareNostrumCompliant: 'Boolean?',
      timeLastSet: 'DateTime',
      requestedBy: 'MultilingualString?',
      situationToWhichMessageIsRelated: 'VersionedReference?',
      situationRecordToWhichMessageIsRelated: 'VersionedReference?',
      distanceFromSituationRecord: 'MetresAsFloat?',
      textPictogramSequencingInterval: 'Seconds?',
      textPage: '_TextPage*',
    },
  },
  _TextPage: {
    attributes: { pageNumber: 'index' },
    members: {
      vmsText: 'VmsText',
    },
  },
  VmsText: {
    members: {
      vmsLegendCode: 'String?',
      vmsTextImageUrl: 'Url?',
      vmsTextLine: '_VmsTextLineIndexVmsTextLine*',
    },
  },
  _VmsTextLineIndexVmsTextLine: {
    attributes: { lineIndex: 'index' },
    members: {
      vmsTextLine: 'VmsTextLine',
    },
  },
  VmsTextLine: {
    members: {
      vmsTextLine: 'String',
      vmsTextLineLanguage: 'Language?',
      vmsTextLineColour: 'ColourEnum?',
      vmsTextLineFlashing: 'Boolean?',
      vmsTextLineHtml: 'String?',
    },
  },
})
