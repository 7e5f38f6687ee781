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
