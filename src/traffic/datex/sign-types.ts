import { defineTypes } from './type-spec.ts'

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
