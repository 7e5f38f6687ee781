// The label vocabularies of interface.md, in its order.

export const emotionLabels = [
  'happy',
  'excited',
  'hopeful',
  'sad',
  'worried',
  'angry',
  'frustrated',
  'disappointed',
  'scared',
  'disgusted',
  'surprised',
  'embarrassed',
  'proud',
  'relieved',
  'neutral',
] as const;

export const styleLabels = [
  'energetic',
  'passionate',
  'irritated',
  'warm',
  'playful',
  'sarcastic',
  'deadpan',
  'hesitant',
  'confident',
  'sincere',
  'skeptical',
  'tired',
  'formal',
  'casual',
  'impatient',
  'distracted',
] as const;

/** Signed axes of opposite labels: positive pole, negative pole (contract.md). */
export const axisPoles = [
  ['happy', 'sad'],
  ['proud', 'embarrassed'],
  ['relieved', 'worried'],
  ['energetic', 'tired'],
  ['confident', 'hesitant'],
  ['formal', 'casual'],
] as const;
